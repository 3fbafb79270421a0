"""Run by alembic for each upgrade: the steps run on the connection that `upgrade` was given."""

from __future__ import annotations

from alembic import context

import assistant_api.rows
from sqlmodel import SQLModel

assert assistant_api.rows.GameRow  # its import fills the metadata
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transactional_ddl=False,  # the caller's transaction holds all steps
)
context.run_migrations()
