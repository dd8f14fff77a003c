"""Does an artifact still give the uploaded model's answers?"""
