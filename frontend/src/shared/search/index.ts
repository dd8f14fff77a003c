/** Page state that lives in the address: read defensively, since anyone can type one. */
export function optionalText<K extends string>(
  search: Record<string, unknown>,
  key: K,
): { [P in K]?: string } {
  const value = search[key];
  if (typeof value !== "string" && typeof value !== "number") return {};
  const text = String(value);
  return text ? ({ [key]: text } as { [P in K]?: string }) : {};
}

export function optionalFlag<K extends string>(search: Record<string, unknown>, key: K): { [P in K]?: true } {
  const value = search[key];
  return value === true || value === "true" || value === 1 ? ({ [key]: true } as { [P in K]?: true }) : {};
}
