"""Live tables on this server: frames come in, the log of each hand is kept in the database, and everybody is told.

`assistant_api.services.live` says what happened at a table; here it is kept, shared and corrected. One table is a
`room.Room`: it owns the hand, the worker that looks at its frames, and those who follow it. `desk.LiveDesk` has them
all.
"""
