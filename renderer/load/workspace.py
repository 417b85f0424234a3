"""Files to a workspace: everything read, sorted by kind, admitted, and every problem told at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from renderer.document.file import SourceFile
from renderer.document.problem import InputError, Position, Problem, Severity
from renderer.document.read import read_stream
from renderer.document.source import Document
from renderer.document.values import Object, mapping
from renderer.load.admitted import read_admitted
from renderer.load.config import read_config
from renderer.load.delivery_problems import delivery_problems
from renderer.load.digest import digest
from renderer.load.ignore import IGNORE_FILE, IgnoreFile, ignored, parse_ignore
from renderer.load.inventory import Inventory, read_inventory
from renderer.load.jinja import TEMPLATE_SUFFIX, JinjaFile, parse_template
from renderer.load.objects import objects
from renderer.load.peek import CONFIG_FILE
from renderer.load.roles import Role, role_of
from renderer.load.rules import CLUSTER, NO_OBJECT, POLICY, SETTING, TEMPLATE, TEMPLATE_FILE, WORKSPACE
from renderer.load.sealed import sealed, unsealed
from renderer.load.templates import read_templates
from renderer.load.wording import told
from renderer.match.scope import crd_scopes
from renderer.model.config import WorkspaceConfig
from renderer.model.identity import identity_of
from renderer.model.workspace import Refused, Workspace

_OWN_STATE = ".krender"


def load(files: Sequence[SourceFile], *, lenient: bool = False) -> Workspace:
    """Read a workspace; the order of the files does not matter.

    Raises InputError with all problems of the input if one of them is an error. A lenient load raises
    only where a file, or the whole, cannot be a workspace at all: what is refused then does not exist, and
    all problems are in the result.
    """
    kept, problems = _kept(files)
    loading = _Loading(config=WorkspaceConfig(), problems=problems)
    loading.read_config(kept)
    loading.read_files(kept)
    workspace = loading.workspace(digest(kept))
    if not lenient and any(problem.severity is Severity.ERROR for problem in workspace.problems):
        raise InputError(*workspace.problems)
    return workspace


@dataclass(slots=True, kw_only=True)
class _Loading:
    """What was read so far."""

    config: WorkspaceConfig
    problems: list[Problem]
    inventory: Inventory = field(default_factory=Inventory)
    roles: dict[Role, list[Document]] = field(default_factory=lambda: {role: [] for role in Role})

    def read_config(self, files: Sequence[SourceFile]) -> None:
        """Read the settings, if there are any."""
        for file in files:
            if file.path == CONFIG_FILE:
                self.config, problems = read_config(file.data)
                self.problems += SETTING.marked(problems)

    def read_files(self, files: Sequence[SourceFile]) -> None:
        """Read everything else: plain files and templates that need no cluster, the inventory, the rest."""
        plain, jinja = self.parsed(files)
        rendered = [
            document for file in jinja if not file.needs_clusters for document in self.rendered(file, ())
        ]
        self.sort([*plain, *rendered])
        models = self.config.feature_gates.customized_cluster_resource_modeling
        self.inventory = read_inventory(self.roles[Role.INVENTORY], models=models)
        self.problems += CLUSTER.marked(self.inventory.problems)
        known, bodies = len(self.roles[Role.INVENTORY]), [cluster.body for cluster in self.inventory.clusters]
        self.sort(
            document for file in jinja if file.needs_clusters for document in self.rendered(file, bodies)
        )
        self.problems += TEMPLATE_FILE.marked(map(_circular, self.roles[Role.INVENTORY][known:]))

    def parsed(self, files: Sequence[SourceFile]) -> tuple[list[Document], list[JinjaFile]]:
        """Documents of plain files, and templates."""
        plain: list[Document] = []
        jinja: list[JinjaFile] = []
        for file in files:
            if file.path == CONFIG_FILE or _name(file.path) == IGNORE_FILE:
                continue
            try:
                if file.path.lower().endswith(TEMPLATE_SUFFIX):
                    jinja.append(parse_template(file))
                else:
                    documents, problems = sealed(file, read_stream(file.data, file.path, self.config.limits))
                    plain += documents
                    self.problems += problems
            except InputError as error:
                self.problems += TEMPLATE_FILE.marked(error.problems)
        return plain, jinja

    def rendered(self, file: JinjaFile, clusters: Sequence[Object]) -> tuple[Document, ...]:
        """The documents that a template gives, none if it fails."""
        try:
            documents = file.render(self.config.values, clusters).documents(self.config.limits)
        except InputError as error:
            self.problems += TEMPLATE_FILE.marked(error.problems)
            return ()
        kept, problems = unsealed(documents)
        self.problems += problems
        return kept

    def sort(self, documents: Iterable[Document]) -> None:
        """Sort the objects in documents by what they are to the workspace."""
        found, problems = objects(documents)
        self.problems += NO_OBJECT.marked(problems)
        for document in found:
            role, problem = role_of(document)
            self.roles[role].append(document)
            self.problems += NO_OBJECT.marked([problem] if problem else [])

    def workspace(self, files_digest: str) -> Workspace:
        """All of it."""
        templates = self.roles[Role.TEMPLATE]
        scopes = crd_scopes(mapping(document.value) for document in templates)
        namespace = self.config.default_namespace
        read, problems = read_templates(
            templates, scopes=scopes, default_namespace=namespace, take_over=self.config.take_over
        )
        admitted = read_admitted(
            self.roles[Role.POLICY],
            default_namespace=namespace,
            allow_no_execute=self.config.failover.allow_no_execute_taint_policies,
        )
        self.problems += TEMPLATE.marked(problems)
        self.problems += POLICY.marked(admitted.problems)
        self.problems += SETTING.marked(delivery_problems(self.config, self.inventory.clusters))
        self.problems += self.no_clusters()
        return Workspace(
            config=self.config,
            clusters=self.inventory.clusters,
            templates=read,
            propagation_policies=tuple(admitted.propagation_policies),
            override_policies=tuple(admitted.override_policies),
            customizations=tuple(admitted.customizations),
            rebalancers=tuple(admitted.rebalancers),
            taint_policies=tuple(admitted.taint_policies),
            scopes=scopes,
            problems=InputError(*self.problems).problems,
            refused=(*map(_refused_cluster, self.inventory.refused), *admitted.refused),
            digest=files_digest,
        )

    def no_clusters(self) -> Iterator[Problem]:
        """A workspace that nothing can come of."""
        if not self.inventory.clusters and not self.inventory.problems:
            yield Problem(
                where=Position("."),
                what="the workspace has no clusters",
                why="there is nowhere to place anything",
                fix="add Cluster objects, or a ClusterInventory with spec.clusters",
                rule=WORKSPACE.id,
                severity=Severity.WARNING,
            )


def _kept(files: Sequence[SourceFile]) -> tuple[list[SourceFile], list[Problem]]:
    """The files that nothing leaves out, by name. Raises InputError for what cannot be a workspace."""
    ordered = sorted(files, key=lambda file: file.path)
    for file in ordered:
        if _OWN_STATE in file.path.split("/")[:-1]:
            raise InputError(_own_output(file.path))
    ignore_files: list[IgnoreFile] = []
    problems: list[Problem] = []
    for file in ordered:
        if _name(file.path) == IGNORE_FILE:
            parsed, wrong = parse_ignore(file.path, file.data)
            ignore_files.append(parsed)
            problems += wrong
    return [file for file in ordered if not _is_ignored(file.path, ignore_files)], problems


def _is_ignored(path: str, ignore_files: Sequence[IgnoreFile]) -> bool:
    parts = tuple(path.split("/"))
    if not ignore_files or parts[-1] == IGNORE_FILE:
        return False
    for depth in range(1, len(parts) + 1):
        above = [
            file
            for file in sorted(ignore_files, key=lambda file: len(file.directory))
            if len(file.directory) < depth and parts[: len(file.directory)] == file.directory
        ]
        if ignored(parts[:depth], above, is_directory=depth < len(parts)):
            return True
    return False


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _own_output(path: str) -> Problem:
    return Problem(
        where=Position(path),
        what="this is a tree that krender has written: it has a directory .krender",
        why="rendered manifests would be taken for resource templates and rendered again",
        fix=f"name the workspace it was rendered from, or name this directory in {IGNORE_FILE}",
        rule=WORKSPACE.id,
    )


def _circular(document: Document) -> Problem:
    return told(
        document,
        "",
        "a template that needs the clusters describes clusters",
        why="the inventory must be known before it can be used",
        fix="write the inventory without the name clusters; values can be used",
    )


def _refused_cluster(document: Document) -> Refused:
    identity = identity_of(mapping(document.value))
    return Refused(identity=identity, reason="webhook", document=document)
