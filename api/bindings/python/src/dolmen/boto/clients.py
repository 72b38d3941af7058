"""Clients and resources that need neither credentials nor a configuration."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import boto3

from .attach import Way, attach

if TYPE_CHECKING:
    from ..database import Database


@functools.cache
def _session(region: str) -> boto3.Session:
    """Returns the session of all clients of a region. It reads the models of the services once."""
    return boto3.Session(
        aws_access_key_id="dolmen", aws_secret_access_key="dolmen", region_name=region
    )


def client(
    database: Database, region: str, service: str, way: Way = "direct", **options: Any
) -> Any:
    """Returns a boto3 client whose requests the database executes."""
    session: Any = _session(options.pop("region_name", region))
    created = session.client(service, **options)
    attach(database, created, way)
    return created


def resource(database: Database, region: str, way: Way = "direct", **options: Any) -> Any:
    """Returns a boto3 resource whose requests the database executes."""
    created = _session(options.pop("region_name", region)).resource("dynamodb", **options)
    attach(database, created, way)
    return created
