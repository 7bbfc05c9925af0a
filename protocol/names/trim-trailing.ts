/** Removes all trailing copies of a character in linear time. The regex `/0+$/` is quadratic in zeros. */
export function trimTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
