/** A key icon, for apps without an icon. */
export const defaultIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'%3E%3Crect width='96' height='96' rx='22' fill='%231f2937'/%3E%3Cg fill='none' stroke='%23fff' stroke-width='8' stroke-linecap='round'%3E%3Ccircle cx='35' cy='48' r='14'/%3E%3Cpath d='M49 48h27v12M64 48v9'/%3E%3C/g%3E%3C/svg%3E"
