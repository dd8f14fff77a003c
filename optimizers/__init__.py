"""The engine: makes a model faster on a target and measures it. Knows no Django, Celery, boto3 or Redis."""
