"""The Whetstone platform: web, API, orchestration. Knows no inference library."""
