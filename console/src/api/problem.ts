/** The body of a failed request (application/problem+json). */
export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly error_class?: string
  readonly code?: string
  readonly errors?: readonly FieldError[]
  /** With 401: how a person can log in. */
  readonly login?: LoginChoices
}

/** What is wrong with one field; the path is a JSON Pointer into the value. */
export interface FieldError {
  readonly path: string
  readonly message: string
}

export interface LoginChoices {
  readonly token: boolean
  readonly oidc?: { readonly name: string }
}
