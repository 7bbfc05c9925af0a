import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

const heightPx = 220
const narrowPx = 520
const colorCount = 4
const formatDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export type Series = { label: string; values: number[] }

/** Draws lines over time. A table beside it has the same numbers for screen readers. */
export function Chart({ times, series }: { times: number[]; series: Series[] }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const ink = getComputedStyle(element)
    const axis = {
      stroke: ink.getPropertyValue('--axis'),
      grid: { stroke: ink.getPropertyValue('--grid'), width: 1 },
      ticks: { show: false },
    }
    const days = {
      ...axis,
      // Phones have room for every second day.
      splits: ({ width }: UPlot) => times.filter((_, index) => width > narrowPx || index % 2 === 0),
      values: (_: unknown, splits: number[]) => splits.map((seconds) => formatDay.format(seconds * 1_000)),
    }
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: heightPx,
        padding: [12, 24, 0, 0],
        cursor: { show: false },
        legend: { live: false },
        series: [
          {},
          ...series.map(({ label }, index) => {
            const color = ink.getPropertyValue(`--series-${(index % colorCount) + 1}`)
            return { label, stroke: color, width: 2, points: { size: 6, fill: color } }
          }),
        ],
        axes: [days, { ...axis, size: 44 }],
        scales: { y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
      },
      [times, ...series.map(({ values }) => values)],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, series])
  return <div ref={place} aria-hidden="true" />
}
