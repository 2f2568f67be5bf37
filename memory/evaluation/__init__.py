"""How well recall does on conversations with known answers. For developers' hands."""
