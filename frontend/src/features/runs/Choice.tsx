import type { ReactNode } from "react";
import styles from "./runs.module.css";

/** One radio button or check box with a title and a line of explanation. */
export function Choice(props: {
  type: "radio" | "checkbox";
  name: string;
  value: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  title: ReactNode;
  children: ReactNode;
}) {
  return (
    <label className={styles.choice}>
      <input
        type={props.type}
        name={props.name}
        value={props.value}
        checked={props.checked}
        disabled={props.disabled ?? false}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <strong>{props.title}</strong>
      <small>{props.children}</small>
    </label>
  );
}
