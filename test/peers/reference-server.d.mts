export function startReferenceServer(options?: {
  port?: number
}): Promise<{ url: string; sessions(): number; close(): Promise<void> }>
