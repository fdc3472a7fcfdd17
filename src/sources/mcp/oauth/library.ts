/** The protocol's own library, which implements the OAuth documents. Loaded when the first server refuses. */
export type Library = typeof import('@modelcontextprotocol/client')

export const loadLibrary = (): Promise<Library> => import('@modelcontextprotocol/client')
