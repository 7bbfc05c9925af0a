import type { MarkDrawing } from '../mark.tsx'

export const rainbow: MarkDrawing = [
  { stroke: '#ff4000', width: 2.2, path: 'M3.5 4.5a12 12 0 0 1 12 12' },
  { stroke: '#ffb800', width: 2.2, path: 'M3.5 8.2a8.3 8.3 0 0 1 8.3 8.3' },
  { stroke: '#00a3ff', width: 2.2, path: 'M3.5 11.9a4.6 4.6 0 0 1 4.6 4.6' },
]
