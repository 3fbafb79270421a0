"""Run by alembic for each upgrade: the steps run on the connection that `upgrade` was given."""

from __future__ import annotations

from alembic import context

from assistant_api.rows import GameRow

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=GameRow.metadata,
    render_as_batch=True,
    transactional_ddl=False,  # the caller's transaction holds all steps
)
context.run_migrations()
