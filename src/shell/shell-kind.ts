/** Which shell runs a command. `sh` is whatever a system calls so: only what all of them read alike counts for it. */
export type ShellKind = 'bash' | 'sh'
