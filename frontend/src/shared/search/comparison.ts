import { optionalFlag, optionalText } from ".";

/** `sort` is a column, with a minus for descending; `cols` the shown columns, comma-separated. */
export interface ComparisonSearch {
  sort?: string;
  q?: string;
  target?: string;
  backend?: string;
  state?: string;
  diff?: true;
  cols?: string;
}

export const comparisonSearch = (search: Record<string, unknown>): ComparisonSearch => ({
  ...optionalText(search, "sort"),
  ...optionalText(search, "q"),
  ...optionalText(search, "target"),
  ...optionalText(search, "backend"),
  ...optionalText(search, "state"),
  ...optionalFlag(search, "diff"),
  ...optionalText(search, "cols"),
});
