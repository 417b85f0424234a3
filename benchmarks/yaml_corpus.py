"""Documents for the YAML benchmarks: generated ones, or those of a directory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import yaml

_RUNS = 5

_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{n}
  namespace: team-{team}
  labels: {{app: web-{n}, tier: frontend}}
spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app: web-{n}
  template:
    metadata:
      annotations:
        prometheus.io/scrape: "true"
      labels:
        app: web-{n}
    spec:
      containers:
      - name: web
        image: registry.example.com/team-{team}/web:v1.{n}.0
        args: ["--port=8080", "--log-level=info"]
        env:
        - name: RATE
          value: "1e3"
        - name: REGION
          valueFrom:
            fieldRef:
              fieldPath: metadata.labels['region']
        ports:
        - containerPort: 8080
          name: http
        resources:
          limits: {{cpu: 500m, memory: 256Mi}}
          requests:
            cpu: 100m
            memory: 128Mi
        readinessProbe:
          httpGet:
            path: /healthz?full=1
            port: http
          periodSeconds: 10
"""

_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web-{n}
  namespace: team-{team}
spec:
  type: ClusterIP
  selector:
    app: web-{n}
  ports:
  - name: http
    port: 80
    targetPort: 8080
    protocol: TCP
"""

_CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-{n}
  namespace: team-{team}
data:
  enabled: "yes"
  nginx.conf: |
{block}
"""

_CRD_FIELD = """\
              field{n}:
                description: |-
                  What field {n} is for, in a sentence that is as long as such sentences are.
                  It is required when the field before it is set!
                type: object
                properties:
                  name:
                    type: string
                    maxLength: 253
                    pattern: ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$
                  weight:
                    type: integer
                    format: int32
                    minimum: 0
                required:
                - name
"""

_CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things{n}.example.com
spec:
  group: example.com
  names: {{kind: Thing{n}, plural: things{n}}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
{fields}
"""


def generated() -> dict[str, bytes]:
    """Files of Deployments, Services, ConfigMaps and CRDs, about as they are mixed in real repositories."""
    block = "\n".join(
        f"    location /path/{line} {{ proxy_pass http://backend-{line}; }}" for line in range(120)
    )
    fields = "".join(_CRD_FIELD.format(n=n) for n in range(200))
    files = {}
    for n in range(300):
        facts = {"n": n, "team": n % 17, "replicas": n % 5, "block": block}
        files[f"deployment-{n}.yaml"] = _DEPLOYMENT.format(**facts)
        files[f"service-{n}.yaml"] = _SERVICE.format(**facts)
        if n % 2:
            files[f"configmap-{n}.yaml"] = _CONFIG_MAP.format(**facts)
    for n in range(8):
        files[f"crd-{n}.yaml"] = _CRD.format(n=n, fields=fields)
    return {name: text.encode() for name, text in files.items()}


def found(directory: Path) -> dict[str, bytes]:
    """The YAML files below a directory."""
    return {str(path): path.read_bytes() for path in sorted(directory.rglob("*.y*ml"))}


def corpus(arguments: Sequence[str]) -> dict[str, bytes]:
    """The files of the directory that is named, else generated ones."""
    return found(Path(arguments[0])) if arguments else generated()


class PlainLoader(yaml.CSafeLoader):
    """CSafeLoader that takes a bare `=` for text, without which it cannot read the Prometheus CRDs."""


PlainLoader.add_constructor("tag:yaml.org,2002:value", lambda _, node: str(node.value))


def compare(jobs: Mapping[str, Callable[[], object]], size: int) -> Iterator[str]:
    """Lines with MB/s of CPU for each job, and how much faster the first is than the others.

    The jobs take turns, so that a busy machine slows all of them; each counts with its median.
    """
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(_RUNS):
        for name, job in jobs.items():
            begin = time.process_time()
            job()
            times[name].append(time.process_time() - begin)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    first = next(iter(medians.values()))
    for name, median in medians.items():
        yield f"{name:28} {size / median / 1e6:8.1f} MB/s   {median / first:6.2f}x the time of the first"
