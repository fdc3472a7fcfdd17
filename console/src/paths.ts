/** Where a record is shown. */
export const callPath = (invocationId: string): string => `/calls/${encodeURIComponent(invocationId)}`
export const toolPath = (toolId: string): string => `/catalog/${encodeURIComponent(toolId)}`
export const approvalPath = (approvalId: string): string =>
  `/inbox?approval=${encodeURIComponent(approvalId)}`
