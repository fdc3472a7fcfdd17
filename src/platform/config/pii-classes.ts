export const piiClasses = ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'] as const

/** What is not secret but personal. Looked for only where somebody asks for it. */
export type PiiClass = (typeof piiClasses)[number]
