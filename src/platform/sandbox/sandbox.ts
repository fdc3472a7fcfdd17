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
  /** Paths whose content the program does not see: keys, records. */
  readonly hidden: readonly string[]
  /** The folder that the program sees as `/tmp`. Absent: the one of the host, read-only. */
  readonly tmp?: { readonly folder: string; readonly isWritable: boolean } | undefined
  /** `none`, or the Unix socket of a proxy that decides about each connection. */
  readonly network: 'none' | { readonly proxySocket: string }
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>
  readonly limits?: SandboxLimits | undefined
  /** Whether the program keeps the terminal of its parent: only where that is a terminal of its own. */
  readonly keepsTerminal?: boolean | undefined
}

/** What a program may use. */
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
  /**
   * Whether the program never started because something of the host vanished while the sandbox was set up. It may be
   * prepared and started again then.
   */
  hasLostHost(end: { readonly code: number; readonly stderr: string }): boolean
  /** What the sandbox itself saw and refused. Read after the program has ended, before `dispose`. */
  violations(): readonly SandboxViolation[]
  /** Ends what is left inside, and removes what the sandbox needs on the host. Called when the program has ended. */
  dispose(): Promise<void>
}

/** Something that a program tried and the sandbox prevented. */
export interface SandboxViolation {
  readonly kind: 'write' | 'network' | 'process' | 'limit'
  /** One sentence. */
  readonly message: string
}

export interface SandboxedProgram {
  readonly command: string
  readonly args: readonly string[]
}

/** A way to run programs with fewer rights. */
export interface Sandbox {
  readonly kind: 'bubblewrap' | 'seatbelt'
  readonly version: string
  prepare(program: SandboxedProgram, profile: SandboxProfile): Promise<SandboxedCommand>
}

/** What was found out about the sandbox of this machine. */
export interface SandboxReport {
  /** Undefined where this machine has no usable sandbox. */
  readonly sandbox: Sandbox | undefined
  /** Each property that was tried with a program that attacks it. */
  readonly checks: readonly SandboxCheck[]
  /** Where the limits of memory and processes apply to all processes of a program together. */
  readonly limits: 'cgroup' | 'prlimit' | 'none'
  /** Why there is none, or what does not hold, and what to install: one sentence. */
  readonly problem: string | undefined
}

export interface SandboxCheck {
  readonly name: 'write_outside' | 'host_socket' | 'tcp_connection' | 'see_processes'
  readonly holds: boolean
  readonly message: string
}
