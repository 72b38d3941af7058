"""Clients of boto3, botocore and aiobotocore whose requests a database executes."""
