import { installCommand } from '../../../platform/files/install-command.js'

export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

let loading: Promise<Cedar> | undefined

/** Cedar's own WASM build, loaded on first use: it takes longer than everything else at start-up. */
export function loadCedar(): Promise<Cedar> {
  loading ??= import('@cedar-policy/cedar-wasm/nodejs').catch((cause: unknown) => {
    loading = undefined // so that it can be tried again once it is installed
    throw new Error(
      `it needs the package @cedar-policy/cedar-wasm; install it with: ${installCommand(['@cedar-policy/cedar-wasm'])}`,
      { cause },
    )
  })
  return loading
}
