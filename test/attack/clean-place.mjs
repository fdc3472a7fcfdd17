/** Where the throwaway roots run commands: in a folder whose repository is clean and that a person trusts. */
export const cleanFolders = { gitProblem: () => undefined, isTrusted: () => true }
export const cleanPlace = { cwd: '/play/ground', home: '/home', folders: cleanFolders }
