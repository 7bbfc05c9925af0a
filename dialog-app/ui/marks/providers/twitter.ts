import type { MarkDrawing } from '../mark.tsx'

export const x: MarkDrawing = [
  {
    fill: 'currentColor',
    path: 'M2.6 3h4.6l3.9 5.4L15.8 3h1.6l-5.6 6.4L18 17h-4.6l-4.2-5.8L4.1 17H2.5l5.9-6.8ZM5 4.2l9 11.6h1.6L6.6 4.2Z',
  },
]
