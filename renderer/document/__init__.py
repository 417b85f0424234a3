"""JSON values that know file:line:column; read, write, pointer, patch. Nothing of Kubernetes."""
