// Copies the build to a place from which the libraries of this folder are found, as they are beside an installed Toolcrib.
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [from, to] = ['../dist', './build'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
rmSync(to, { recursive: true, force: true })
cpSync(from, to, { recursive: true })
