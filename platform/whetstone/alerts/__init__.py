"""Mail that tells a person what happened."""
