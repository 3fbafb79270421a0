"""Seeded renderer of tiles and tables with exact labels: training material for both networks, and the samples."""

from vision.synth.crops import render_face_crop
from vision.synth.designs import Design, design_pool, procedural_design
from vision.synth.scene import Scene, SceneTile, render_scene

__all__ = ["Design", "Scene", "SceneTile", "design_pool", "procedural_design", "render_face_crop", "render_scene"]
