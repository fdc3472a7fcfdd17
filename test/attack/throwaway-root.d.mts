/** What was observed of one command line after a real shell had run it. */
export interface Sighting {
  /** The canary was started, under any of its names. */
  readonly hasRun: boolean
  /** A file in the working directory was made, changed or removed. */
  readonly hasChanged: boolean
}

export function whyNoRoot(): string | undefined
export function runAll(
  commands: readonly string[],
  options?: { shell?: string; row?: number },
): readonly Sighting[]
