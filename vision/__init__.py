"""From pixels to tile readings. Knows tiles, not rules."""
