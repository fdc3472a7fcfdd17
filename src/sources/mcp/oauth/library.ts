/** The protocol's own library: it knows the documents of OAuth. Loaded when the first server refuses. */
export type Library = typeof import('@modelcontextprotocol/client')

export const loadLibrary = (): Promise<Library> => import('@modelcontextprotocol/client')
