/** What a program may do inside a sandbox. Paths are absolute. */
export interface SandboxProfile {
  /** The name of the profile in records, such as `workspace_shell_sandbox`. */
  readonly name: string
  /** The folder in which the program starts. */
  readonly cwd: string
  /** Folders and files in which it may write. Everything else is read-only. */
  readonly writable: readonly string[]
  /** Paths that stay read-only inside writable folders, also where they do not exist yet. */
  readonly readOnly: readonly string[]
  /** Paths whose content the program does not see: keys, records, host sockets. */
  readonly hidden: readonly string[]
  /** `none`, or the domains that it may reach through a proxy: `registry.npmjs.org`, `*.example.com`. */
  readonly network: 'none' | { readonly domains: readonly string[] }
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>
  readonly limits?: SandboxLimits | undefined
}

/** What each process may use. */
export interface SandboxLimits {
  readonly cpuSeconds?: number | undefined
  readonly memoryMb?: number | undefined
  readonly processes?: number | undefined
  readonly fileSizeMb?: number | undefined
}

/** A program that is ready to be started inside a sandbox. */
export interface SandboxedCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Attempts that the sandbox itself saw and refused, such as requests to a domain that is not allowed. */
  violations(): readonly SandboxViolation[]
  /** Removes what the sandbox needs on the host. Called when the program has ended. */
  dispose(): Promise<void>
}

/** Something that a program tried and the sandbox prevented. */
export interface SandboxViolation {
  readonly kind: 'write' | 'network' | 'process' | 'limit'
  /** One sentence. */
  readonly message: string
}

/** A way to run programs with fewer rights. */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'seatbelt'
  readonly version: string
  prepare(
    program: { readonly command: string; readonly args: readonly string[] },
    profile: SandboxProfile,
  ): Promise<SandboxedCommand>
}

/** What was found out about the sandbox of this machine. */
export interface SandboxReport {
  /** Undefined where this machine has no usable sandbox. */
  readonly sandbox: Sandbox | undefined
  /** Each property that was tried with a program that attacks it. */
  readonly checks: readonly SandboxCheck[]
  /** Why there is none, or what does not hold, and what to install: one sentence. */
  readonly problem: string | undefined
}

export interface SandboxCheck {
  readonly name: 'write_outside' | 'host_socket' | 'tcp_connection' | 'see_processes'
  readonly holds: boolean
  readonly message: string
}
