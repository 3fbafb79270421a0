"""The shared library of patterns.

Patterns of games with golds are measured on a `engine.candidate.Candidate` and gathered in `engine.patterns.fuzhou`.
Patterns of fan tables look at a `engine.patterns.view.View` and are gathered in `engine.patterns.library`, by family:

===========  ==========================================================================================
special      七对 十三幺 全不靠 组合龙 九莲宝灯 双龙会 平和: shapes and fixed pictures
honours      winds and dragons
pungs kongs  刻子 杠, concealed or not, and 四归一
chows        what two, three or four chows make together
suits        清一色 混一色 绿一色 推不倒 五门齐 缺一门 无字
numbers      which ranks a hand has
winning      how it was won and what it waited on
===========  ==========================================================================================
"""
