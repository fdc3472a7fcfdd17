/** Where a client runs: what decides about the places of its files. */
export interface ClientWorld {
  home: string
  platform: string
  env: Readonly<Record<string, string | undefined>>
}

/** The door as a client reaches it over HTTP. */
export interface Endpoint {
  url: string
  token: string | undefined
}

/** The program that a client starts instead. */
export interface Program {
  command: string
  args: readonly string[]
}

/** One program that speaks MCP: where it keeps its servers, and in which words. */
export interface Client {
  readonly id: string
  readonly title: string
  file(world: ClientWorld): string
  readonly format: 'json' | 'toml'
  /** The object in the file that has a member for each server. */
  readonly key: string
  /** Absent: it only starts programs. */
  overHttp?(endpoint: Endpoint): Record<string, unknown>
  overStdio(program: Program): Record<string, unknown>
  /** A command of the client itself that does the same; none where it would show a token to others. */
  command?(endpoint: Endpoint): string | undefined
}
