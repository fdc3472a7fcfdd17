/** The environment of a client: it decides where its files are. */
export interface ClientEnvironment {
  home: string
  platform: string
  env: Readonly<Record<string, string | undefined>>
}

/** The gateway as a client reaches it over HTTP. */
export interface Endpoint {
  url: string
  token: string | undefined
}

/** The program that a client starts instead. */
export interface Program {
  command: string
  args: readonly string[]
  /** Absent where the program finds its settings without variables. */
  env?: Readonly<Record<string, string>>
}

/** One MCP client: where it stores its servers, and in which format. */
export interface Client {
  readonly id: string
  readonly title: string
  /** The files of the user, the usual one first. */
  files(context: ClientEnvironment): readonly string[]
  /** Files that it reads in the folder of a project. */
  readonly projectFiles?: readonly string[]
  readonly format: 'json' | 'toml'
  /** The object in the file that has a member for each server. */
  readonly key: string
  /** Objects below the user's file that hold servers of one folder. */
  readonly folderPath?: (folder: string) => readonly string[]
  /** The meaning of a bare "url"; http by default. */
  readonly bareUrl?: 'sse'
  /** Absent: the client only starts programs. */
  overHttp?(endpoint: Endpoint): Record<string, unknown>
  overStdio(program: Program): Record<string, unknown>
  /** A command of the client that does the same; none where it would show a token to other users. */
  command?(endpoint: Endpoint): string | undefined
}
