/**
 * Measures and colours of the board and its pieces, those of nestline's pictures.
 * Written by `make generate`: change it there, not here.
 */
export const SQUARE = 100;
export const PITCH = 106;
export const MARGIN = 20;
export const MARGIN_WITH_COORDINATES = 34;
export const CORNER = 22;
export const SQUARE_CORNER = 12;
export const TRAY_HEIGHT = 78;
export const TRAY_GAP = 14;
export const TRAY_ENDS = 56;
export const LARGEST_TRAY_SCALE = 0.7;
export const SLOT_GAP = 12;
export const COUNT_GLYPH = 26;
export const COUNT_GAP = 12;
export const MOST_SHOWN = 4;
export const WOOD_LIGHT = "#8a5f43";
export const WOOD = "#704a34";
export const WOOD_DARK = "#5a3928";
export const GRAIN = "#2e1a10";
export const GROOVE = "#3d2518";
export const TRAY = "#4b2f20";
export const LINEN_LIGHT = "#e6d5b5";
export const LINEN = "#d6c096";
export const GOLD = "#ffc93c";
export const SMALLEST = 17;
export const LARGEST = 44;
export const SIZE_STEP = 2.5;
export const ONLY_SIZE = 37;
export const SHADOW = "#1d0f05";
export const ALMOST_BLACK = 0.06;
export const LIGHT_INK = "#fffaf0";
export const DARK_INK = "#2b211b";
