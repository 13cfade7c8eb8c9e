# Copies FROM into the folder TO if it is there.
if(EXISTS ${FROM})
  file(COPY ${FROM} DESTINATION ${TO})
endif()
