#!/usr/bin/env bash
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../support/java_test.sh" "$1" sdk.BeansTest sdk.SdkTest
