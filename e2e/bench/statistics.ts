export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, two) => one - two)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const digits = (value: number) =>
  value >= 100 || Number.isInteger(value)
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value.toFixed(2)

export const line = (label: string, values: readonly number[], unit: string, note = '') =>
  console.log(
    `  ${label.padEnd(46)} ${digits(median(values)).padStart(8)} ${unit}   (${digits(Math.min(...values))} to ${digits(Math.max(...values))}, ${values.length} runs)${note && `   ${note}`}`,
  )

export const plain = (label: string, value: number, unit: string, note = '') =>
  console.log(`  ${label.padEnd(46)} ${digits(value).padStart(8)} ${unit}${note && `   ${note}`}`)

export const heading = (text: string) => console.log(`\n${text}`)
