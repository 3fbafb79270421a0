"""Rules of mahjong: tiles, hands, wins and settlements. Pure Python, no clock, no I/O, no randomness of its own."""
