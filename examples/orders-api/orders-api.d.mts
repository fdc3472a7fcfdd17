export interface OrdersApi {
  readonly url: string
  /** The address of its OpenAPI document. */
  readonly document: string
  close(): Promise<void>
}

export declare function startOrdersApi(options?: { port?: number; key?: string }): Promise<OrdersApi>
