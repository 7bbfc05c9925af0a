export type Hex = `0x${string}`

/** Of a text that a schema or the server has in this form. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`
