import type { components } from "./schema";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type Failure = Schemas["Failure"];
export type Finding = Schemas["Finding"];
export type ModelDescription = Schemas["ModelDescription"];
export type Model = Schemas["Model"];
export type Version = Schemas["Version"];
export type Upload = Schemas["Upload"];
export type SignedPart = Schemas["SignedPart"];
export type Token = Schemas["Token"] & { token?: string };
export type Target = Schemas["Target"];
export type TargetPrice = Schemas["TargetPrice"];
export type TargetPriceSet = Schemas["TargetPriceSet"];
export type Price = Schemas["Price"];
export type Host = Schemas["Host"];
export type RecipeItem = Schemas["RecipeItem"];
export type Run = Schemas["Run"];
export type RunNew = Schemas["RunNew"];
export type Job = Schemas["Job"];
export type JobEvent = Schemas["JobEvent"];
export type Measurement = Schemas["Measurement"];
export type Comparison = Schemas["Comparison"];
export type Candidate = Schemas["Candidate"];
export type Metric = Schemas["Metric"];
export type LocalMail = Schemas["LocalMail"];

export type RunState = Run["state"];
export type JobState = Job["state"];
export type Page<T> = { items: T[]; next_cursor: string | null };
