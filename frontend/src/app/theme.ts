import {
  ActionIcon,
  Anchor,
  Button,
  createTheme,
  type MantineColorsTuple,
  Modal,
  Table,
  Tooltip,
} from "@mantine/core";

const hone: MantineColorsTuple = [
  "#e9f4f1",
  "#d2e8e2",
  "#a5d3c8",
  "#73bdad",
  "#48a794",
  "#2a917e",
  "#177a68",
  "#0e6456",
  "#0a4f45",
  "#063a33",
];
const spark: MantineColorsTuple = [
  "#fff4e3",
  "#fde5c2",
  "#f9ce8e",
  "#f4b356",
  "#ee9b2c",
  "#de830d",
  "#b56706",
  "#8f5004",
  "#6d3d05",
  "#4b2a04",
];
const gray: MantineColorsTuple = [
  "#f7f7f3",
  "#eeeee8",
  "#e2e3db",
  "#d1d3ca",
  "#bcbfb5",
  "#999e94",
  "#666d66",
  "#4b524d",
  "#343b37",
  "#1c2320",
];
const dark: MantineColorsTuple = [
  "#e2e8e5",
  "#bcc8c3",
  "#9aa8a3",
  "#7c8b86",
  "#3e4b47",
  "#2d3835",
  "#1e2624",
  "#141a19",
  "#0f1413",
  "#0a0e0d",
];

export const theme = createTheme({
  primaryColor: "hone",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.28,
  colors: { hone, spark, gray, dark },
  black: "#1c2320",
  defaultRadius: 3,
  fontFamily: '"IBM Plex Sans Variable", ui-sans-serif, system-ui, sans-serif',
  fontFamilyMonospace: '"IBM Plex Mono", ui-monospace, "SFMono-Regular", Menlo, monospace',
  fontSizes: { xs: "0.75rem", sm: "0.84rem", md: "0.94rem", lg: "1.06rem", xl: "1.25rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.7rem", lineHeight: "1.2" },
      h2: { fontSize: "1.12rem", lineHeight: "1.3" },
      h3: { fontSize: "0.98rem", lineHeight: "1.35" },
    },
  },
  focusRing: "auto",
  cursorType: "pointer",
  components: {
    Button: Button.extend({ defaultProps: { size: "sm", fw: 550 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray" } }),
    Anchor: Anchor.extend({ defaultProps: { underline: "hover" } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 8, horizontalSpacing: 12 } }),
    Modal: Modal.extend({ defaultProps: { centered: true, closeButtonProps: { "aria-label": "Close" } } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 200, events: { hover: true, focus: true, touch: true } },
    }),
  },
});
