import type { MarkDrawing } from '../mark.tsx'

export const instagram: MarkDrawing = [
  {
    stroke: '#e1306c',
    width: 1.8,
    path: 'M6.5 2.9h7a3.6 3.6 0 0 1 3.6 3.6v7a3.6 3.6 0 0 1-3.6 3.6h-7a3.6 3.6 0 0 1-3.6-3.6v-7a3.6 3.6 0 0 1 3.6-3.6ZM6.6 10a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0',
  },
  { fill: '#e1306c', path: 'M13.2 5.8a1 1 0 1 0 2 0a1 1 0 1 0-2 0' },
]
