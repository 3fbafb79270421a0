"""The live table: from frames of a phone on a stand to what lies where, believed slowly. Knows tiles, no rules."""
