export const formatJson = (value: unknown) => JSON.stringify(value, null, 2)

/** Returns undefined for a text that is no JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Returns undefined for a text that is no JSON object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
