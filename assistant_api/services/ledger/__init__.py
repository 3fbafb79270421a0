"""The ledger of an evening.

access      who the caller is and what the caller may do       games     begin, change, join, finish, delete
writing     one write: key, version, history, one transaction  entries   add, edit, remove, undo, redo
replay      play entries again after a change                  views     rows as they go over the wire
following   what followers are told                            export    CSV, the report
"""
