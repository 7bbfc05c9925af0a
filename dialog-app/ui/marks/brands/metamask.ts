import type { MarkDrawing } from '../mark.tsx'

export const metamask: MarkDrawing = [
  {
    fill: '#f6851b',
    path: 'M3 3.2 8.6 6.6h2.8L17 3.2l-1.1 6 1.1 3.6-1.6 4-3.4-1-1.2 1h-1.6l-1.2-1-3.4 1-1.6-4L4.1 9.2Z',
  },
  { fill: '#763d16', path: 'M5.6 9.6 8.3 11l-.4 1.2-2.8-.8ZM14.4 9.6 11.7 11l.4 1.2 2.8-.8Z' },
  { fill: '#e4d3c3', path: 'M8.6 14.6h2.8l.5 1.3-1 .9H9.1l-1-.9Z' },
]
