/** Which shell runs a command. `sh` is the system's default shell: only what all of them parse alike counts for it. */
export type ShellKind = 'bash' | 'sh'
