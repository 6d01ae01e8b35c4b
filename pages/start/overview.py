"""Overview: what this is, what data are open, the answer, and where to go on."""
import streamlit as st
st.title("x")
