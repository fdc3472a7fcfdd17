/** The folder in which the throwaway roots run commands: its repository is clean, and a person trusts it. */
export const cleanFolders = { gitProblem: () => undefined, isTrusted: () => true }
export const cleanContext = { cwd: '/play/ground', home: '/home', folders: cleanFolders }
