"""The live table: from what is believed to lie on it to the event log of the hand, and warnings.

`vision.live` sees and knows no rules; here the rules decide what happened. `table.LiveHand` is the value others
use.
"""
