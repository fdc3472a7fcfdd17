import { versionedRef } from '../../platform/json/versioned-ref.js'

/** The changes that the runtime itself makes to an input, as records refer to them. */
const changes = {
  paths: 'Makes the relative paths of path fields absolute, from the workspace of the call.',
  refs: 'Puts the version that is meant in place of refs that move.',
} as const

export interface OwnSource {
  readonly ref: string
  readonly definition: object
}

function ownSource(name: keyof typeof changes): OwnSource {
  const definition = { source: 'toolcrib', change: name, description: changes[name] }
  return { ref: versionedRef(`toolcrib:${name}`, definition), definition }
}

export const pathsSource = ownSource('paths')
export const refsSource = ownSource('refs')
